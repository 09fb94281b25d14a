import type { Lexicon } from "../conceptNames.js"

/** What words do in French. */
export const fr: Lexicon = {
  not: "aucun* inutile jamais n ne ni non pas peine plus rien sans",
  more: "avenir davantage desormais dorenavant encore futur insist* jamais nouveau plus relanc* revenez revenir suite",
  stop: "abst* arete* arret* assez basta bol cess* fin fini* halte lach* laiss* marre mettre rest* stop* suffit terme tombe tomber",
  off: "apparai* dehors desabon* desinscri* disparaitre effac* elimin* enlev* epargn* exclu* figurer ot* radi* ray* retir* retrait rett* sort* suppression supprim* supr* vir*",
  mail: "campagne* commercial* courriel* courrier* demarch* email emails envoi* mail mails message* newsletter* offre* proposition* prospect* pub publicit* relanc* sollicitation* spam",
  write: "adress* appel* contact* demarch* ecri* envo* mailer mecri* menvo* recontact* reecri* relanc* sollicit*",
  get: "lire marriv* recev* recoi* recu* voir",
  me: "j jai je m ma me mes moi mon nos notre nous",
  you: "ta tes toi ton vos votre vous",
  list: "base boucle campagne* carnet contacts crm envois fichier* liste* mailing sequence",
  data: "adresse* boite coordonnees donnees messagerie nom numero",
  spam: "harcel* illegal* indesirable* intrusi* sollicit* spam*",
  consent: "abonn* accord autoris* consent* demand* inscri* souscri*",
  law: "article avocat* bloqu* cnil droit* effacement loi moppose oppos* plainte rgpd signal* tribunal",
  peace: "degag* derang* embet* epargn* evit* fich* fout* harcel* importun* lach* paix tranquille*",
  forget: "jet* oubli* perd*",
  last: "3eme 4eme cinquieme derni* fois quatrieme troisieme",
  want: "aimer* besoin desir* interess* interet merci prefer* souhait* veut veux voul*",
  sure: "acte assur* compte faites note notez prendre pri* sorte veill*",
  can: "peut peux possible pourr* pouv*",
  where: "comment dou ou pourquoi qui",
  if: "apres avant des jusqu* quand si",
  later:
    "actuellement annee aout avril decembre demain ete fevrier janvier jeudi juillet juin lundi mai maintenant mardi mars mercredi mois moment noel novembre octobre paques rentree semaine* septembre tard trimestre vendredi",
  thing:
    "brouillon* commande* compte* contrat copie devis doublon* facture* jointe ligne* livraison logo* page paragraphe* piece production rendezvous tarif* test utilisateur*",
  others: "abonnes client clients collegue* destinataires elles gens ils lui quelquun utilisateurs",
  call: "appel* parl* passez rencontr* telephon* voyons",
  yes: "brochure combien envoyez interessant oui prix tarif* volontiers",
  please: "merci plait prie priere svp veuillez",
  answer: "reaction repon* silence",
  here: "adresse boite cette ici maison",
  any: "chaque jamais personne quelconque tous tout toute toutes",
  gone: "ancien* decede* disparu dissout* existe ferme* mort parti quitte retraite",
  firm: "association boite bureau cabinet domaine ecole entreprise equipe etude magasin societe",
  such: "ca ce ceci cela ces cette chose genre pareil* tel* truc",
  product:
    "abonnement compte essai fonction* licence logiciel module outil* plateforme produit* service* solution* systeme",
  use: "conserv* detenir exploit* garder gardez stock* trait* utilis*",
  confirm: "attest* confirm* preuve",
  next: "autre nouvel* prochain* suivant*",
  number: "cinq cinquieme deux deuxieme quatre quatrieme six sixieme trois troisieme",
  only: "cependant juste mais seulement simplement",
  go: "adieu ailleurs aller allez dehors partir revoir"
}
