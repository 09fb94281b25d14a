import { sentRepliesContract } from "../../src/contracts/sentReplies.js"
import { layer } from "../../src/memory/layer.js"

sentRepliesContract("memory", layer)
