/** The most output tokens that a model accepts. https://ai.google.dev/gemini-api/docs/models */
export const ceilingOf = (model: string): number => (/gemini-(1|2\.0)/.test(model) ? 8192 : 65_536);
