/** DMARC reports of our own, in the shapes in which large receivers write theirs. */
import { deflateRawSync } from "node:zlib"

/** Google: no namespace, UTF-8, IPv6 addresses, several DKIM results. */
export const GOOGLE_XML = `<?xml version="1.0" encoding="UTF-8" ?>
<feedback>
  <report_metadata>
    <org_name>google.com</org_name>
    <email>noreply-dmarc-support@google.com</email>
    <extra_contact_info>https://support.google.com/a/answer/2466580</extra_contact_info>
    <report_id>1234567890123456789</report_id>
    <date_range>
      <begin>1772841600</begin>
      <end>1772927999</end>
    </date_range>
  </report_metadata>
  <policy_published>
    <domain>acme.example</domain>
    <adkim>r</adkim>
    <aspf>r</aspf>
    <p>none</p>
    <sp>none</sp>
    <pct>100</pct>
    <np>none</np>
  </policy_published>
  <record>
    <row>
      <source_ip>192.0.2.10</source_ip>
      <count>12</count>
      <policy_evaluated>
        <disposition>none</disposition>
        <dkim>pass</dkim>
        <spf>pass</spf>
      </policy_evaluated>
    </row>
    <identifiers>
      <header_from>acme.example</header_from>
    </identifiers>
    <auth_results>
      <dkim>
        <domain>acme.example</domain>
        <result>pass</result>
        <selector>google</selector>
      </dkim>
      <spf>
        <domain>acme.example</domain>
        <result>pass</result>
      </spf>
    </auth_results>
  </record>
  <record>
    <row>
      <source_ip>2001:db8::25</source_ip>
      <count>3</count>
      <policy_evaluated>
        <disposition>none</disposition>
        <dkim>pass</dkim>
        <spf>fail</spf>
        <reason>
          <type>forwarded</type>
          <comment></comment>
        </reason>
      </policy_evaluated>
    </row>
    <identifiers>
      <header_from>acme.example</header_from>
    </identifiers>
    <auth_results>
      <dkim><domain>acme.example</domain><result>pass</result></dkim>
      <dkim><domain>list.example</domain><result>neutral</result></dkim>
      <spf><domain>list.example</domain><result>pass</result></spf>
    </auth_results>
  </record>
</feedback>
`

/** Microsoft: namespaces for the schema, a version, the envelope's addresses. */
export const MICROSOFT_XML = `<?xml version="1.0"?>
<feedback xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <version>1.0</version>
  <report_metadata>
    <org_name>Outlook.com</org_name>
    <email>dmarcreport@microsoft.com</email>
    <report_id>0f6f5c7a40a14f7da4e0c1a2b3c4d5e6</report_id>
    <date_range><begin>1772841600</begin><end>1772928000</end></date_range>
  </report_metadata>
  <policy_published>
    <domain>acme.example</domain><adkim>r</adkim><aspf>r</aspf><p>reject</p><sp>reject</sp><pct>100</pct><fo>0</fo>
  </policy_published>
  <record>
    <row>
      <source_ip>192.0.2.11</source_ip>
      <count>4</count>
      <policy_evaluated><disposition>none</disposition><dkim>fail</dkim><spf>pass</spf></policy_evaluated>
    </row>
    <identifiers>
      <envelope_to>hotmail.example</envelope_to>
      <envelope_from>acme.example</envelope_from>
      <header_from>acme.example</header_from>
    </identifiers>
    <auth_results>
      <spf><domain>acme.example</domain><scope>mfrom</scope><result>pass</result></spf>
    </auth_results>
  </record>
  <record>
    <row>
      <source_ip>198.51.100.7</source_ip>
      <count>1</count>
      <policy_evaluated><disposition>reject</disposition><dkim>fail</dkim><spf>fail</spf></policy_evaluated>
    </row>
    <identifiers>
      <envelope_to>hotmail.example</envelope_to>
      <envelope_from>forger.example</envelope_from>
      <header_from>acme.example</header_from>
    </identifiers>
    <auth_results>
      <spf><domain>forger.example</domain><scope>mfrom</scope><result>none</result></spf>
    </auth_results>
  </record>
</feedback>
`

/** Yahoo: one line for each element, a name that is no domain. */
export const YAHOO_XML = `<?xml version="1.0"?>
<feedback>
<report_metadata>
<org_name>Yahoo</org_name>
<email>dmarchelp@yahooinc.com</email>
<report_id>1772930000.123456</report_id>
<date_range>
<begin>1772841600</begin>
<end>1772927999 </end>
</date_range>
</report_metadata>
<policy_published>
<domain>acme.example</domain>
<adkim>r</adkim>
<aspf>r</aspf>
<p>none</p>
<pct>100</pct>
</policy_published>
<record>
<row>
<source_ip>192.0.2.12</source_ip>
<count>9</count>
<policy_evaluated>
<disposition>none</disposition>
<dkim>pass</dkim>
<spf>pass</spf>
</policy_evaluated>
</row>
<identifiers>
<header_from>acme.example</header_from>
</identifiers>
<auth_results>
<dkim>
<domain>acme.example</domain>
<selector>s1</selector>
<result>pass</result>
</dkim>
</auth_results>
</record>
</feedback>
`

/** Mail.ru: all on one line. */
export const MAIL_RU_XML = `<?xml version="1.0" encoding="UTF-8"?><feedback><report_metadata><date_range><begin>1772841600</begin><end>1772928000</end></date_range><email>dmarc_support@corp.mail.ru</email><extra_contact_info>https://help.mail.ru/</extra_contact_info><org_name>Mail.Ru</org_name><report_id>17728416000000000000001772841600</report_id></report_metadata><policy_published><adkim>r</adkim><aspf>r</aspf><domain>acme.example</domain><p>none</p><pct>100</pct><sp>none</sp></policy_published><record><row><count>2</count><policy_evaluated><disposition>none</disposition><dkim>pass</dkim><spf>pass</spf></policy_evaluated><source_ip>192.0.2.13</source_ip></row><identifiers><header_from>acme.example</header_from></identifiers><auth_results><dkim><domain>acme.example</domain><result>pass</result><selector>k1</selector></dkim><spf><domain>acme.example</domain><result>pass</result><scope>mfrom</scope></spf></auth_results></record></feedback>`

/** With a prefix for its namespace, as RFC 9990 has one, and with CDATA and comments. */
export const GMX_XML = `<?xml version="1.0" encoding="utf-8"?>
<!-- sent daily -->
<d:feedback xmlns:d="urn:ietf:params:xml:ns:dmarc-2.0">
  <d:report_metadata>
    <d:org_name><![CDATA[GMX.net]]></d:org_name>
    <d:email>noreply@gmx.example</d:email>
    <d:report_id>8a7b</d:report_id>
    <d:date_range><d:begin>1772841600</d:begin><d:end>1772928000</d:end></d:date_range>
  </d:report_metadata>
  <d:policy_published><d:domain>ACME.example</d:domain><d:p>none</d:p></d:policy_published>
  <d:record>
    <d:row>
      <d:source_ip>192.0.2.14</d:source_ip>
      <d:count>5</d:count>
      <d:policy_evaluated><d:disposition>pass</d:disposition><d:dkim>pass</d:dkim><d:spf>fail</d:spf></d:policy_evaluated>
    </d:row>
    <d:identifiers><d:header_from>acme.example</d:header_from></d:identifiers>
  </d:record>
</d:feedback>
`

/** A zip with this file in it. `claims`: the size that it says it has. */
export const zipOf = (
  file: Buffer,
  given: {
    readonly isStored?: boolean
    readonly files?: number
    readonly flags?: number
    readonly claims?: number
  } = {}
): Buffer => {
  const packed = given.isStored === true ? file : deflateRawSync(file)
  const name = Buffer.from("google.com!acme.example!1772841600!1772927999.xml")
  const head = (octets: number, signature: number, from: number) => {
    const made = Buffer.alloc(octets)
    made.writeUInt32LE(signature)
    made.writeUInt16LE(given.flags ?? 0, from)
    made.writeUInt16LE(given.isStored === true ? 0 : 8, from + 2)
    made.writeUInt32LE(packed.length, from + 12)
    made.writeUInt32LE(given.claims ?? file.length, from + 16)
    made.writeUInt16LE(name.length, from + 20)
    return made
  }
  const local = Buffer.concat([head(30, 0x04034b50, 6), name, packed])
  const entry = Buffer.concat([head(46, 0x02014b50, 8), name])
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(given.files ?? 1, 8)
  end.writeUInt16LE(given.files ?? 1, 10)
  end.writeUInt32LE(entry.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, entry, end])
}
