import { unitOfWorkContract } from "../../src/contracts/unitOfWork.js"
import { layer } from "../../src/memory/layer.js"

unitOfWorkContract("memory", layer)
