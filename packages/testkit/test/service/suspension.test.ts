import { Layer } from "effect"
import { suspensionContract } from "../../src/contracts/service/suspension.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"
import { quietMemory } from "../../src/service/Service.js"

suspensionContract("memory", Layer.provideMerge(MemoryHosts.layer, quietMemory))
