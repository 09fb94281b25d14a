import { Layer } from "effect"
import { journalContract } from "../../src/contracts/journal.js"
import { layer } from "../../src/memory/layer.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"

journalContract("memory", Layer.provideMerge(MemoryHosts.layer, layer))
