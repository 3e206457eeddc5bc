import type { Viewer } from "./roundel.js";

/** Fills an element with a button that plays, a slider and the number of the frame; hides it while a scene has one frame. */
export function player(element: HTMLElement, viewer: Viewer): void;
