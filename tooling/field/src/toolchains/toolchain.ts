/** Versions by the name of a package. */
export type Versions = Readonly<Record<string, string>>;

/** A driver, and where its packages are installed. */
export interface Place {
  /** The folder with the program and its lock. */
  readonly driver: string;
  /** The folder in the cache with what is installed; the driver's own if it needs nothing. */
  readonly folder: string;
  /** The interpreter or compiler, as `find` returned it. */
  readonly program: string;
}

/** How drivers of one language are installed and started. */
export interface Toolchain {
  /** The files of a driver that lock its packages. If one changes, the driver is installed again. */
  readonly locks: readonly string[];
  /**
   * Finds the interpreter or compiler: its command, and its version. Rejects with a sentence that
   * says what is missing.
   */
  find(): Promise<{ readonly program: string; readonly version: string }>;
  /** Whether the driver has packages of its own. */
  needsPackages(driver: string): boolean;
  /** Installs the locked packages. The folder exists and is empty. Rejects if that fails. */
  install(place: Place): Promise<unknown>;
  /** Makes the program from its source; called before each measurement. */
  build?(place: Place): Promise<unknown>;
  /** The command that starts the program, without arguments. Paths are absolute. */
  start(place: Place): readonly string[];
  /** The versions of the packages that the driver names. */
  versions(place: Place): Versions;
  /**
   * The newest release of a package that this machine's interpreter or compiler can install, by
   * the registry of the language. Nothing for a package that the driver takes from this repository.
   */
  newest(name: string, place: Place): Promise<string | undefined>;
  /** Writes the newest versions to the locks. */
  update(place: Place): Promise<unknown>;
}
