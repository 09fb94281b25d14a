import type { Lexicon } from "../conceptNames.js"

/** What words do in Spanish. */
export const es: Lexicon = {
  not: "jamas nada ni ningun* no nunca sin tampoco",
  more: "adelante futuro insist* mas nuevamente nuevo otra recordatorio* seguimiento* vez volv* vuelv*",
  stop: "abst* acab* bast* ces* cort* dej* deten* harta harto hasta insist* listo par para parad pare paren stop suficiente terminad*",
  off: "aparec* baja bajen* bor* cancel* desaparec* desaparez* elimin* exclu* figur* fuera kit* quit* retir* sac* sale salgo salir saqu* supres* suprim* tach*",
  mail: "boletin* campana* comercial* comunicacion* correo* cosas email* envio* mail mails mensaje* oferta* promocion* propaganda propuesta* publicidad publicitari* spam ventas",
  write: "contact* dirig* envi* escrib* insist* llam* mand* molest* vuelv*",
  get: "leer lleg* recib* ver",
  me: "m me mi mis nos nuestr* yo",
  you: "os su sus tu tus usted* vosotros vuestr*",
  list: "agenda archivo* base campana* contactos crm envios fichero* lista* sistema",
  data: "buzon contacto correo dato* direccion* informacion nombre numero",
  spam: "acosa* acoso basura ilegal pesad* solicitad* spam",
  consent: "apunt* autoric* autoriz* consent* pedi pedido permiso suscrib*",
  law: "abogad* aepd articulo bloque* denunci* derech* exij* ley lopd oponer* opong* oposicion rgpd solicit*",
  peace: "dej* harto largaos largo molest* olvid* paz pesad* tranquil*",
  forget: "olvid* tir*",
  last: "cuart* quint* tercera ultim* veces",
  want: "agradec* dese* gustar* interes* necesit* prefer* quer* quier* rogar* ruego",
  sure: "apunt* asegur* consider* favor hagan marquen nota procur* tomen",
  can: "podeis podr* posible pued*",
  where: "como donde porque quien",
  if: "antes cuando despues hasta si",
  later:
    "abril agosto ahora ano diciembre enero febrero jueves julio junio lunes manana martes marzo mayo mes meses miercoles momento navidad noviembre octubre pascua semana* septiembre tarde trimestre verano viernes",
  thing:
    "adjunto* anexo* borrador* cita contrato copia cuenta* entrega* factura* fila* hilo linea* logo* pagina parrafo* pedido* presupuesto produccion prueba tarifa* usuario*",
  others: "alguien cliente clientes colega* destinatarios ellas ellos suscriptores usuarios",
  call: "hablamos hablar hablemos llam* reunir* veamonos",
  yes: "claro cuanto cuesta interesa mandeme precio* propuesta si",
  please: "favor gracias porfa ruego xfa",
  answer: "callar contest* respond* respuesta* silencio",
  here: "aqui buzon casa direccion esta",
  any: "cada cualquier* nadie siempre toda todas todo todos",
  gone: "cerrada cerrado cerro dejo difunto existe fallecido fallecio jubil* muerto murio",
  firm: "asociacion colegio consulta despacho dominio empresa equipo firma negocio oficina tienda",
  such: "clase cosa cosas ese eso esta estas este esto estos tipo",
  product:
    "cuenta funcion* herramienta* licencia modulo plataforma producto* programa prueba servicio* sistema solucion* suscripcion",
  use: "almacen* conserv* guard* tener tienen trat* us* utiliz*",
  confirm: "acredit* confirm* prueba",
  next: "otra otro proxim* siguiente*",
  number: "cinco cuatro dos segundo seis sexto tercer* tres",
  only: "aunque pero solamente solo",
  go: "adios fuera ir largo vaya*"
}
