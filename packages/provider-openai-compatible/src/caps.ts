/** It also fits small context windows. The loop may raise it up to the ceiling. */
export const maxTokens = { default: 4096, ceiling: 32_768 } as const;
/** Usage and cap count reasoning as output. */
export const counted = { reasoningTokens: "counted" } as const;
