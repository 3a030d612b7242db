/**
 * Standard Schema with Standard JSON Schema: zod and arktype have both; valibot through `toStandardJsonSchema` of `@valibot/to-json-schema`.
 * https://standardschema.dev
 */
export interface InputSchema<In = unknown, Out = In> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly jsonSchema: { readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown> };
    readonly types?: { readonly input: In; readonly output: Out } | undefined;
  };
}
export type Types<S extends InputSchema> = NonNullable<S["~standard"]["types"]>;
