import { Layer } from "effect"
import { erasureContract } from "../../src/contracts/service/erasure.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"
import { layerMemory } from "../../src/service/Service.js"

erasureContract("memory", Layer.provideMerge(MemoryHosts.layer, layerMemory))
