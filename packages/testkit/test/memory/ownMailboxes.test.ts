import { ownMailboxesContract } from "../../src/contracts/ownMailboxes.js"
import { layer } from "../../src/memory/layer.js"

ownMailboxesContract("memory", layer)
