/** LiteLLM fetches its list of prices from the network otherwise. */
export const litellmEnv: Readonly<Record<string, string>> = {
  LITELLM_LOCAL_MODEL_COST_MAP: "True",
};
