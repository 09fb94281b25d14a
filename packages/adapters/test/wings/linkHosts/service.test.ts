import { linkHostsContract } from "@outbound/testkit/wings/linkHosts/contract.js"
import { service } from "../../service/service.js"

linkHostsContract("postgres", service)
