import config from "./vitest.config.ts";

const conditions = ["@fullstop/source", "node", "import", "default"];

/** For Node 22.12, which reads neither types nor `using`: Vite transforms the files. */
export default {
  ...config,
  oxc: { target: "es2022" },
  resolve: { conditions, mainFields: ["main"] },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    ...config.test,
    experimental: {},
    isolate: true,
    server: { deps: { inline: [/@fullstop\//, /\/(?:apps|packages|tooling)\//] } },
    testNamePattern: /^(?!.*zstd)/,
  },
};
