import { Layer } from "effect"
import { mailboxesContract } from "../../src/contracts/mailboxes.js"
import { sendingContract } from "../../src/contracts/sending.js"
import { layer } from "../../src/memory/layer.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"

sendingContract("memory", Layer.provideMerge(MemoryHosts.layer, layer))
mailboxesContract("memory", layer)
