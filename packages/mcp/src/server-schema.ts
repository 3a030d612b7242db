import type { InputSchema } from "@fullstop/loop";
import { checkValue } from "./check-value.ts";

export const serverSchema = (schema: object): InputSchema => ({
  "~standard": {
    version: 1,
    vendor: "fullstop",
    validate: (value: unknown): object => {
      const issues = checkValue(schema, value);
      if (issues.length === 0) return { value };
      return {
        issues: issues.map(({ message, at }) => ({ message, path: at.split("/").slice(1) })),
      };
    },
    jsonSchema: { input: () => ({ ...schema }) },
  },
});
