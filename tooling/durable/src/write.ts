export const writeOut = (text: string): void => void process.stdout.write(text);
export const writeError = (text: string): void => void process.stderr.write(text);
