import type { RecipientWords } from "./RecipientWords.js"

export const fr: RecipientWords = {
  unsubscribe: "Se désinscrire",
  unsubscribeLead:
    "Cliquez sur le bouton pour ne plus recevoir d’e-mails de cet expéditeur. L’expéditeur ne peut pas l’annuler.",
  unsubscribed: "Votre désinscription est enregistrée",
  unsubscribedLead: "Vous ne recevrez plus d’e-mails de cet expéditeur. Vous pouvez fermer cette page.",
  invalid: "Ce lien n’est pas valable",
  invalidLead:
    "Le lien est peut-être incomplet. Ouvrez-le depuis l’e-mail lui-même, ou répondez à l’e-mail en demandant de ne plus recevoir de messages.",
  later: "Momentanément indisponible",
  laterLead: "Rien n’a encore été fait. Réessayez dans un instant, ou répondez à l’e-mail.",
  why: "Pourquoi ai-je reçu ce message ?",
  who: "Qui vous écrit",
  noAddress: "L’expéditeur n’a pas indiqué d’adresse postale.",
  whence: "D’où vient votre adresse",
  imported: "d’une liste de l’expéditeur",
  found: "d’une recherche dans des données d’entreprises",
  added: "ajoutée à une campagne",
  stated: "D’où viennent les affirmations sur vous ou votre entreprise",
  sent: "Ce qui vous a été envoyé",
  nothingSent: "Aucun message ne vous a été envoyé.",
  approved: "Une personne a relu ces messages et les a approuvés.",
  checked: "Ce qui est vérifié avant chaque message",
  checkedWhat:
    "Que vous n’avez pas répondu, ni refusé, ni demandé votre désinscription, que votre adresse fonctionne, qu’une personne a approuvé la campagne et que nul ne l’a arrêtée, et que l’on ne vous écrit pas trop souvent.",
  after: "Ce qui s’est passé ensuite",
  stopped: "Cet expéditeur ne vous écrit plus.",
  rights: "Ce que vous pouvez faire",
  access: "Demander une copie de mes données",
  erasure: "Demander l’effacement de mes données",
  erasureNote: "Cela arrête aussi tous les e-mails de cet expéditeur.",
  asked: "Votre demande a été transmise",
  askedLead: "L’expéditeur a été prévenu et a un mois pour vous répondre."
}
