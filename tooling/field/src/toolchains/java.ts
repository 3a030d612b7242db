import { cpSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runProgram, scratch } from "@tooling/publish/process";
import { findVersion } from "./find-version.ts";
import type { Toolchain, Versions } from "./toolchain.ts";

const pomFile = "pom.xml";
const pomDependency = /<artifactId>([^<]+)<\/artifactId>\s*<version>([^<]+)<\/version>/g;
const jarsIn = (folder: string): string => join(folder, "jars");
const allJarsIn = (folder: string): string => join(jarsIn(folder), "*");
const classesIn = (folder: string): string => join(folder, "classes");
const source = "Agent.java";
/** LangChain4j reads the names of a tool's parameters from the class. */
const compilerWords = ["-parameters"] as const;
const maven = ["mvn", "--batch-mode", "--quiet"] as const;
const copyJars = "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies";
const raiseVersions = "org.codehaus.mojo:versions-maven-plugin:2.23.0:use-latest-releases";

const raise = (folder: string): Promise<string> =>
  runProgram([...maven, raiseVersions, "-DgenerateBackupPoms=false"], { cwd: folder });
const versionsIn = (folder: string): Versions =>
  Object.fromEntries(
    [...readFileSync(join(folder, pomFile), "utf8").matchAll(pomDependency)].map(
      ([, name, version]) => [name, version],
    ),
  );

/** A JDK, with Maven for the packages. The class that a driver starts is `Agent`. */
export const javaToolchain: Toolchain = {
  locks: [pomFile],
  find: async () => {
    const oldest = "17";
    await findVersion({
      title: "Maven",
      command: ["mvn", "--batch-mode", "--version"],
      oldest: "3.6",
    });
    await findVersion({ title: "The Java compiler", command: ["javac", "--version"], oldest });
    return findVersion({ title: "Java", command: ["java", "--version"], oldest });
  },
  needsPackages: () => true,
  install: ({ driver, folder }) =>
    runProgram([...maven, copyJars, `-DoutputDirectory=${jarsIn(folder)}`], { cwd: driver }),
  build: ({ driver, folder }) =>
    runProgram(
      ["javac", ...compilerWords, "-cp", allJarsIn(folder), "-d", classesIn(folder), source],
      {
        cwd: driver,
      },
    ),
  start: ({ folder, program }) => [
    program,
    "-cp",
    [classesIn(folder), allJarsIn(folder)].join(delimiter),
    "Agent",
  ],
  versions: ({ driver }) => versionsIn(driver),
  newest: async (name, { driver }) => {
    const copy = scratch("newest");
    cpSync(join(driver, pomFile), join(copy, pomFile));
    await raise(copy);
    return versionsIn(copy)[name];
  },
  update: ({ driver }) => raise(driver),
};
