import { Layer } from "effect"
import { evidenceContract } from "../../src/contracts/service/evidence.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"
import { quietMemory } from "../../src/service/Service.js"

evidenceContract("memory", Layer.provideMerge(MemoryHosts.layer, quietMemory))
