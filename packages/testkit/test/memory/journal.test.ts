import { Layer } from "effect"
import { journalContract, journalModelContract } from "../../src/contracts/journal.js"
import { layer } from "../../src/memory/layer.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"

const stores = Layer.provideMerge(MemoryHosts.layer, layer)

journalContract("memory", stores)
journalModelContract("memory", stores)
