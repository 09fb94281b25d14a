import { layer } from "../../src/memory/layer.js"
import { signUpsContract } from "../../src/signUp/signUpsContract.js"

signUpsContract("memory", layer)
