/** A failure whose message tells its reader all there is to tell; any other shows where it came from. */
export class Foreseen extends Error {}
