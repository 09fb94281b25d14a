import { postmasterContract } from "@outbound/testkit/wings/postmaster/contract.js"
import { service } from "../../service/service.js"

postmasterContract("postgres", service)
