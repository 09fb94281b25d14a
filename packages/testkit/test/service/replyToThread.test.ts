import { Layer } from "effect"
import { replyCapsContract } from "../../src/contracts/service/replyCaps.js"
import { replyOutcomesContract } from "../../src/contracts/service/replyOutcomes.js"
import { replyToThreadContract } from "../../src/contracts/service/replyToThread.js"
import * as JournalSwitch from "../../src/contracts/JournalSwitch.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"
import * as MemoryLayer from "../../src/memory/layer.js"
import { quietMemory, over } from "../../src/service/Service.js"

const stores = Layer.merge(MemoryLayer.layer, MemoryHosts.layer.pipe(Layer.provide(MemoryLayer.layer)))

replyToThreadContract("memory", quietMemory)
replyCapsContract("memory", quietMemory)
replyOutcomesContract("memory", over(Layer.provideMerge(JournalSwitch.layer, stores)))
