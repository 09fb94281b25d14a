/** Full above this share, a table of slots is doubled. */
const LOAD_MAX = 0.6
const SLOTS_FIRST = 1 << 16
const STATES_FIRST = 1 << 15

/** FNV-1a with a final mix, so that neighbouring states fall on different slots. */
const hashOf = (bytes: Uint8Array, from: number, width: number): number => {
  let hash = 0x811c9dc5
  for (let at = from; at < from + width; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
  hash ^= hash >>> 15
  return Math.imul(hash, 0x2c1b3c6d) >>> 0
}

/**
 * Distinct states in the order in which they were found, each as `width` bytes. Exact: equal hashes are compared byte
 * by byte. Each remembers from which state it was first reached.
 */
export class StateTable {
  private bytes: Uint8Array
  private parents = new Int32Array(STATES_FIRST)
  private slots = new Int32Array(SLOTS_FIRST).fill(-1)
  private count = 0

  constructor(private readonly width: number) {
    this.bytes = new Uint8Array(STATES_FIRST * width)
  }

  get size(): number {
    return this.count
  }

  /** True: the state is new. `parent` -1: the initial state. */
  add(state: Uint8Array, parent: number): boolean {
    const slot = this.slotOf(state)
    if (this.slots[slot] !== -1) return false
    if (this.count === this.parents.length) this.growStates()
    this.bytes.set(state, this.count * this.width)
    this.parents[this.count] = parent
    this.slots[slot] = this.count
    this.count += 1
    if (this.count > this.slots.length * LOAD_MAX) this.growSlots()
    return true
  }

  /** A view of the state; valid until the next `add`. */
  at(index: number): Uint8Array {
    return this.bytes.subarray(index * this.width, (index + 1) * this.width)
  }

  parentOf(index: number): number {
    return this.parents[index] as number
  }

  private isAt(index: number, state: Uint8Array): boolean {
    const from = index * this.width
    for (let at = 0; at < this.width; at += 1) if (this.bytes[from + at] !== state[at]) return false
    return true
  }

  private slotOf(state: Uint8Array): number {
    const mask = this.slots.length - 1
    let slot = hashOf(state, 0, this.width) & mask
    for (;;) {
      const index = this.slots[slot] as number
      if (index === -1 || this.isAt(index, state)) return slot
      slot = (slot + 1) & mask
    }
  }

  private growStates(): void {
    const bytes = new Uint8Array(this.bytes.length * 2)
    bytes.set(this.bytes)
    this.bytes = bytes
    const parents = new Int32Array(this.parents.length * 2)
    parents.set(this.parents)
    this.parents = parents
  }

  private growSlots(): void {
    this.slots = new Int32Array(this.slots.length * 2).fill(-1)
    const mask = this.slots.length - 1
    for (let index = 0; index < this.count; index += 1) {
      let slot = hashOf(this.bytes, index * this.width, this.width) & mask
      while (this.slots[slot] !== -1) slot = (slot + 1) & mask
      this.slots[slot] = index
    }
  }
}
