import type { Lexicon } from "../conceptNames.js"

/** What words do in Portuguese. */
export const pt: Lexicon = {
  not: "dispens* jamais nada nao nem nenhum* nunca sem",
  more: "adiante followup futuro insist* lembrete* mais novamente novo volt*",
  stop: "acaba* basta cansei ces* cheg* cheio deix* desist* deu encerrar fiquemos la larg* par para parar pare parem pra saco stop",
  off: "apag* apareca* cancel* constar dai daqui delet* desapar* descadastr* desinscr* elimin* exclu* fora pul* remocao remov* retir* risc* risqu* sai saida saio sair salt* some suma sumam sumir tir*",
  mail: "campanha* comerciais comercial contact* contat* correspondencia email emails envio* lembrete* mensage* newsletter* oferta* promoc* propaganda propost* publicidade spam vendas",
  write: "contact* contat* dirig* envi* escrev* incomod* insist* ligar ligu* mand*",
  get: "cheg* ler receb* ver",
  me: "comigo eu me meu meus mim minha nos nossa* nosso*",
  you: "seu seus sua suas voce* vos vossa* vosso*",
  list: "base cadastro campanha* contactos contatos crm lista* mailing sistema",
  data: "caixa contacto contato dados email endereco* informac* nome numero",
  spam: "assedio ilegal lixo solicitad* spam",
  consent: "autoriz* consent* inscrev* inscri* pedi permiss*",
  law: "advogad* artigo bloque* cnpd denunc* direit* exij* lei lgpd oponh* opor* oposic* queixa rgpd",
  peace: "chato enche* incomod* paz perturb* sossegad*",
  forget: "esque* jog*",
  last: "quart* quint* terceira ultim* vez vezes",
  want: "agrade* desej* gostar* interess* peco precis* prefer* prefir* pretend* quer*",
  sure: "anotem certifi* consider* facam favor fiquem garant* marquem",
  can: "conseg* pod*",
  where: "como onde porque quem",
  if: "antes ate depois quando se",
  later:
    "abril agora agosto amanha ano carnaval dezembro fevereiro janeiro julho junho maio marco mes meses momento natal novembro outubro pascoa quarta quinta segunda semana* setembro sexta tarde terca trimestre verao",
  thing:
    "anexo* conta contrato copia entrega* fatur* linha* logo* orcamento* pagina paragrafo* pedido* producao rascunho* repetid* reuniao tabela teste usuario* utilizador*",
  others: "alguem cliente clientes colega* destinatarios elas eles inscritos usuarios",
  call: "conversar encontr* falar liga ligar ligue",
  yes: "claro custa envie interessa mande preco* proposta quanto sim",
  please: "favor gentileza obrigad* pf",
  answer: "calar respond* respost* silencio",
  here: "aqui caixa casa endereco este",
  any: "cada ninguem qualquer sempre toda todas todo todos",
  gone: "antigo aposent* existe faleceu falecido fechado fechou morreu morto saiu",
  firm: "associacao consultorio dominio empresa equipa equipe escola escritorio firma loja",
  such: "coisa coisas essa esse esses esta este isso isto tipo",
  product:
    "assinatura conta ferramenta* funcao licenca modulo plataforma produto* programa servico* sistema solucao solucoes teste",
  use: "armazen* guard* manter trat* us* utiliz*",
  confirm: "comprov* confirm* prova",
  next: "outra outro proxim* seguinte*",
  number: "cinco dois duas quatro segund* seis sexto terceir* tres",
  only: "apenas mas so somente",
  go: "adeus embora fora ir vai"
}
