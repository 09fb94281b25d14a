/** An expected failure. Its message is enough; other errors print their stack. */
export class Foreseen extends Error {}
