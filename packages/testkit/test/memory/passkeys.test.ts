import { passkeysContract } from "../../src/contracts/passkeys.js"
import { layer } from "../../src/memory/layer.js"

passkeysContract("memory", layer)
