import { addLeadsContract } from "@outbound/testkit/contracts/service/addLeads.js"
import { addLeadsApprovalContract } from "@outbound/testkit/contracts/service/addLeadsApproval.js"
import { addLeadsBindingContract } from "@outbound/testkit/contracts/service/addLeadsBinding.js"
import { campaignReadsContract } from "@outbound/testkit/contracts/service/campaignReads.js"
import { boundMailboxesContract } from "@outbound/testkit/contracts/service/boundMailboxes.js"
import { confirmationContract } from "@outbound/testkit/contracts/service/confirmation.js"
import { createCampaignContract } from "@outbound/testkit/contracts/service/createCampaign.js"
import { deliveryContract } from "@outbound/testkit/contracts/service/delivery.js"
import { getRepliesContract } from "@outbound/testkit/contracts/service/getReplies.js"
import { humansContract } from "@outbound/testkit/contracts/service/humans.js"
import { isolationContract } from "@outbound/testkit/contracts/service/isolation.js"
import { contentBindingContract } from "@outbound/testkit/contracts/service/contentBinding.js"
import { launchContract } from "@outbound/testkit/contracts/service/launch.js"
import { leadStatusContract } from "@outbound/testkit/contracts/service/leadStatus.js"
import { loopContract } from "@outbound/testkit/contracts/service/loop.js"
import { provisioningContract } from "@outbound/testkit/contracts/service/provisioning.js"
import { repliesContract } from "@outbound/testkit/contracts/service/replies.js"
import { sequenceContract } from "@outbound/testkit/contracts/service/sequence.js"
import { setupSendingContract } from "@outbound/testkit/contracts/service/setupSending.js"
import { suspensionContract } from "@outbound/testkit/contracts/service/suspension.js"
import { trailVerbContract } from "@outbound/testkit/contracts/service/trailVerb.js"
import { upkeepContract } from "@outbound/testkit/contracts/service/upkeep.js"
import { Layer } from "effect"
import { suspension } from "../outbound/stores.js"
import { service } from "./service.js"

loopContract("postgres", service)
setupSendingContract("postgres", service)
confirmationContract("postgres", service)
provisioningContract("postgres", service)
upkeepContract("postgres", service)
createCampaignContract("postgres", service)
contentBindingContract("postgres", service)
launchContract("postgres", service)
addLeadsContract("postgres", service)
addLeadsApprovalContract("postgres", service)
addLeadsBindingContract("postgres", service)
boundMailboxesContract("postgres", service)
sequenceContract("postgres", service)
deliveryContract("postgres", service)
repliesContract("postgres", service)
campaignReadsContract("postgres", service)
getRepliesContract("postgres", service)
leadStatusContract("postgres", service)
trailVerbContract("postgres", service)
humansContract("postgres", service)
isolationContract("postgres", service)
suspensionContract("postgres", Layer.provideMerge(suspension, service))
