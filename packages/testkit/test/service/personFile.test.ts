import { Layer } from "effect"
import { personFileContract } from "../../src/contracts/service/personFile.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"
import { quietMemory } from "../../src/service/Service.js"

personFileContract("memory", Layer.provideMerge(MemoryHosts.layer, quietMemory))
