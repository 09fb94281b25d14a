import { Layer } from "effect"
import { evidenceContract } from "../../src/contracts/service/evidence.js"
import { evidenceFlawsContract } from "../../src/contracts/service/evidenceFlaws.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"
import { quietMemory } from "../../src/service/Service.js"

evidenceFlawsContract("memory", quietMemory)
evidenceContract("memory", Layer.provideMerge(MemoryHosts.layer, quietMemory))
