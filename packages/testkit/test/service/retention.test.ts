import { Layer } from "effect"
import { retentionContract } from "../../src/contracts/service/retention.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"
import { quietMemory } from "../../src/service/Service.js"

retentionContract("memory", Layer.provideMerge(MemoryHosts.layer, quietMemory))
