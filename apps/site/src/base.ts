/** The path of the site in what VitePress writes. `relocate` replaces it. */
export const movableBase = "/__base__/";
