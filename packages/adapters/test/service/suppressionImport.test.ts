import { suppressionImportContract } from "@outbound/testkit/contracts/service/suppressionImport.js"
import { service } from "./service.js"

suppressionImportContract("postgres", service)
