// The control of ./dbos.test.ts: a call is a step of its own, as in the integrations of engines.
import { DBOS } from "@dbos-inc/dbos-sdk";

const charge = async (): Promise<void> => {
  await fetch("https://shop.example/charges", { method: "POST", body: "{}" });
};
const workflow = DBOS.registerWorkflow(() => DBOS.runStep(charge, { name: "charge" }), {
  name: "charge",
});
DBOS.setConfig({
  name: "control",
  systemDatabaseUrl: process.env["DATABASE_URL"] ?? "",
  logLevel: "error",
});
await DBOS.launch();
const handle = await DBOS.startWorkflow(workflow, { workflowID: "one" })();
await handle.getResult();
await DBOS.shutdown();
