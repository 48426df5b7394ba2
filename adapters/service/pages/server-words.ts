/** What the server itself says to a person, where no script runs or no pages are there yet. */
export interface ServerWords {
  readonly building: string;
  readonly buildingLead: string;
  readonly unbuilt: string;
  /** In place of {command}: how to build them. */
  readonly unbuiltLead: string;
  readonly apiReady: string;
  readonly noScript: string;
  readonly overHttp: string;
  readonly everything: string;
  readonly secret: string;
  readonly secretLead: string;
  readonly key: string;
  readonly passphrase: string;
  readonly open: string;
  readonly keyHint: string;
  readonly loginFailed: string;
  readonly loginAgain: string;
  readonly tieTitle: string;
  /** In place of {account}, {identity} and {provider}: names. */
  readonly tieLead: string;
  readonly tieYes: string;
  readonly tieNo: string;
}

/** By language, with the same ones as web/words. */
export const SERVER_WORDS: Readonly<Record<string, ServerWords>> = {
  en: {
    loginFailed: "You are not logged in",
    loginAgain: "Back to the login",
    tieTitle: "Is this your account?",
    tieLead: "Whoever logs in as {identity} at {provider} will open your account {account} here from now on.",
    tieYes: "Yes, tie it",
    tieNo: "No, back to the account",
    building: "The pages are being built",
    buildingLead: "This happens once and takes a few seconds. This page then shows itself.",
    unbuilt: "The pages are not built",
    unbuiltLead: "Run {command} and start again.",
    apiReady: "The API answers already.",
    noScript:
      "These pages do their work in your browser, so that nothing you give them leaves it. That takes JavaScript, which is switched off here.",
    overHttp: "The same tools answer over HTTP:",
    everything: "Everything there is, as data",
    secret: "A secret for you",
    secretLead: "It can be opened once. It has not been opened yet.",
    key: "The key: the 22 letters and digits behind the # of the link",
    passphrase: "The passphrase, if the sender gave you one",
    open: "Open the secret",
    keyHint:
      "A wrong key uses nothing up. A link with a dot behind the key was encrypted in the sender's browser and opens only with JavaScript.",
  },
  de: {
    loginFailed: "Sie sind nicht angemeldet",
    loginAgain: "Zurück zur Anmeldung",
    tieTitle: "Ist das Ihr Konto?",
    tieLead: "Wer sich bei {provider} als {identity} anmeldet, öffnet hier von nun an Ihr Konto {account}.",
    tieYes: "Ja, verbinden",
    tieNo: "Nein, zurück zum Konto",
    building: "Die Seiten werden gebaut",
    buildingLead:
      "Das geschieht einmal und dauert einige Sekunden. Danach zeigt sich diese Seite von selbst.",
    unbuilt: "Die Seiten sind nicht gebaut",
    unbuiltLead: "Führen Sie {command} aus und starten Sie neu.",
    apiReady: "Die API antwortet schon.",
    noScript:
      "Diese Seiten arbeiten in Ihrem Browser, damit nichts ihn verlässt. Dafür brauchen sie JavaScript, das hier abgeschaltet ist.",
    overHttp: "Dieselben Werkzeuge antworten über HTTP:",
    everything: "Alles, was es gibt, als Daten",
    secret: "Ein Geheimnis für Sie",
    secretLead: "Es lässt sich einmal öffnen. Bisher wurde es nicht geöffnet.",
    key: "Der Schlüssel: die 22 Buchstaben und Ziffern hinter dem # des Links",
    passphrase: "Die Passphrase, falls der Absender Ihnen eine gegeben hat",
    open: "Geheimnis öffnen",
    keyHint:
      "Ein falscher Schlüssel verbraucht nichts. Ein Link mit einem Punkt hinter dem Schlüssel wurde im Browser des Absenders verschlüsselt und öffnet sich nur mit JavaScript.",
  },
  fr: {
    loginFailed: "Vous n’êtes pas connecté",
    loginAgain: "Retour à la connexion",
    tieTitle: "Est-ce votre compte ?",
    tieLead:
      "Toute personne connectée chez {provider} en tant que {identity} ouvrira désormais ici votre compte {account}.",
    tieYes: "Oui, l’associer",
    tieNo: "Non, retour au compte",
    building: "Les pages sont en préparation",
    buildingLead:
      "Cela n’arrive qu’une fois et prend quelques secondes. Cette page s’affichera ensuite d’elle-même.",
    unbuilt: "Les pages ne sont pas construites",
    unbuiltLead: "Exécutez {command} et redémarrez.",
    apiReady: "L’API répond déjà.",
    noScript:
      "Ces pages travaillent dans votre navigateur, pour que rien n’en sorte. Il leur faut JavaScript, qui est désactivé ici.",
    overHttp: "Les mêmes outils répondent par HTTP :",
    everything: "Tout ce qui existe, sous forme de données",
    secret: "Un secret pour vous",
    secretLead: "Il ne peut être ouvert qu’une fois. Il n’a pas encore été ouvert.",
    key: "La clé : les 22 lettres et chiffres après le # du lien",
    passphrase: "La phrase secrète, si l’expéditeur vous en a donné une",
    open: "Ouvrir le secret",
    keyHint:
      "Une clé erronée ne consomme rien. Un lien avec un point après la clé a été chiffré dans le navigateur de l’expéditeur et ne s’ouvre qu’avec JavaScript.",
  },
  es: {
    loginFailed: "No has iniciado sesión",
    loginAgain: "Volver al inicio de sesión",
    tieTitle: "¿Es esta su cuenta?",
    tieLead:
      "Quien inicie sesión en {provider} como {identity} abrirá a partir de ahora su cuenta {account} aquí.",
    tieYes: "Sí, vincularla",
    tieNo: "No, volver a la cuenta",
    building: "Se están construyendo las páginas",
    buildingLead: "Ocurre una sola vez y tarda unos segundos. Después esta página se muestra sola.",
    unbuilt: "Las páginas no están construidas",
    unbuiltLead: "Ejecuta {command} y reinicia.",
    apiReady: "La API ya responde.",
    noScript:
      "Estas páginas trabajan en tu navegador para que nada salga de él. Para eso necesitan JavaScript, que aquí está desactivado.",
    overHttp: "Las mismas herramientas responden por HTTP:",
    everything: "Todo lo que hay, como datos",
    secret: "Un secreto para ti",
    secretLead: "Se puede abrir una sola vez. Todavía no se ha abierto.",
    key: "La clave: las 22 letras y cifras tras el # del enlace",
    passphrase: "La frase de paso, si quien lo envió te dio una",
    open: "Abrir el secreto",
    keyHint:
      "Una clave errónea no gasta nada. Un enlace con un punto tras la clave se cifró en el navegador de quien lo envió y solo se abre con JavaScript.",
  },
  pt: {
    loginFailed: "Você não está conectado",
    loginAgain: "Voltar ao login",
    tieTitle: "Esta conta é sua?",
    tieLead: "Quem entrar em {provider} como {identity} abrirá, a partir de agora, sua conta {account} aqui.",
    tieYes: "Sim, vincular",
    tieNo: "Não, voltar à conta",
    building: "As páginas estão sendo construídas",
    buildingLead: "Isso acontece uma vez e leva alguns segundos. Depois esta página aparece sozinha.",
    unbuilt: "As páginas não foram construídas",
    unbuiltLead: "Execute {command} e reinicie.",
    apiReady: "A API já responde.",
    noScript:
      "Estas páginas trabalham no seu navegador para que nada saia dele. Para isso precisam de JavaScript, que está desligado aqui.",
    overHttp: "As mesmas ferramentas respondem por HTTP:",
    everything: "Tudo o que existe, como dados",
    secret: "Um segredo para você",
    secretLead: "Pode ser aberto uma única vez. Ainda não foi aberto.",
    key: "A chave: as 22 letras e números depois do # do link",
    passphrase: "A frase secreta, se quem enviou lhe deu uma",
    open: "Abrir o segredo",
    keyHint:
      "Uma chave errada não gasta nada. Um link com um ponto depois da chave foi criptografado no navegador de quem enviou e só abre com JavaScript.",
  },
  zh: {
    loginFailed: "您尚未登录",
    loginAgain: "返回登录页",
    tieTitle: "这是您的账户吗？",
    tieLead: "今后，在 {provider} 以 {identity} 登录的人将可打开您在此处的账户 {account}。",
    tieYes: "是，关联",
    tieNo: "否，返回账户",
    building: "正在构建页面",
    buildingLead: "只需一次，几秒钟即可。之后此页面会自动显示。",
    unbuilt: "页面尚未构建",
    unbuiltLead: "请运行 {command} 并重新启动。",
    apiReady: "API 已可使用。",
    noScript:
      "这些页面在您的浏览器中工作，您提供的内容不会离开浏览器。这需要 JavaScript，而它在这里被关闭了。",
    overHttp: "同样的工具也可通过 HTTP 使用：",
    everything: "全部功能，以数据形式",
    secret: "给您的秘密",
    secretLead: "它只能打开一次。目前尚未打开。",
    key: "密钥：链接中 # 之后的 22 个字母和数字",
    passphrase: "口令（如果发送者给了您）",
    open: "打开秘密",
    keyHint:
      "错误的密钥不会消耗任何内容。密钥后带点的链接是在发送者的浏览器中加密的，只能用 JavaScript 打开。",
  },
  ja: {
    loginFailed: "ログインできませんでした",
    loginAgain: "ログインに戻る",
    tieTitle: "これはあなたのアカウントですか？",
    tieLead:
      "今後、{provider} に {identity} としてログインした人は、ここであなたのアカウント {account} を開けるようになります。",
    tieYes: "はい、関連付けます",
    tieNo: "いいえ、アカウントに戻ります",
    building: "ページを準備しています",
    buildingLead: "一度だけ、数秒で終わります。その後このページが自動で表示されます。",
    unbuilt: "ページが作成されていません",
    unbuiltLead: "{command} を実行して、もう一度起動してください。",
    apiReady: "API はすでに応答しています。",
    noScript:
      "これらのページはブラウザーの中で動き、渡したものが外に出ることはありません。それには JavaScript が必要ですが、ここでは無効になっています。",
    overHttp: "同じツールを HTTP でも使えます：",
    everything: "すべての機能（データ形式）",
    secret: "あなた宛ての秘密",
    secretLead: "一度だけ開けます。まだ開かれていません。",
    key: "鍵：リンクの # より後ろの 22 文字",
    passphrase: "合言葉（送信者から受け取った場合）",
    open: "秘密を開く",
    keyHint:
      "鍵を間違えても何も失われません。鍵の後ろにピリオドがあるリンクは送信者のブラウザーで暗号化されており、JavaScript がないと開けません。",
  },
  ar: {
    loginFailed: "لم تُسجّل الدخول",
    loginAgain: "العودة إلى تسجيل الدخول",
    tieTitle: "هل هذا حسابك؟",
    tieLead: "من يسجّل الدخول لدى {provider} باسم {identity} سيفتح هنا من الآن فصاعدًا حسابك {account}.",
    tieYes: "نعم، اربطه",
    tieNo: "لا، العودة إلى الحساب",
    building: "جارٍ بناء الصفحات",
    buildingLead: "يحدث هذا مرة واحدة ويستغرق بضع ثوانٍ. بعدها تظهر هذه الصفحة من تلقاء نفسها.",
    unbuilt: "لم تُبنَ الصفحات",
    unbuiltLead: "شغّل {command} ثم ابدأ من جديد.",
    apiReady: "واجهة API تستجيب من الآن.",
    noScript:
      "تعمل هذه الصفحات في متصفحك كي لا يغادره شيء مما تعطيه لها. يحتاج ذلك إلى JavaScript، وهو متوقف هنا.",
    overHttp: "الأدوات نفسها متاحة عبر HTTP:",
    everything: "كل ما هو متاح، كبيانات",
    secret: "سرٌّ لك",
    secretLead: "يمكن فتحه مرة واحدة. لم يُفتح بعد.",
    key: "المفتاح: الحروف والأرقام الـ22 التي بعد # في الرابط",
    passphrase: "عبارة المرور، إن أعطاك المرسل واحدة",
    open: "افتح السر",
    keyHint:
      "المفتاح الخاطئ لا يستهلك شيئًا. الرابط الذي فيه نقطة بعد المفتاح شُفّر في متصفح المرسل ولا يُفتح إلا مع JavaScript.",
  },
};

/** The language of a request, as far as there are words for it (RFC 9110, 12.5.4). */
export function preferredLanguage(accept: string | null): string {
  const wanted = (accept ?? "").split(",").map((item) => {
    const [tag = "", weight] = item.trim().split(/\s*;\s*q=/);
    return { language: tag.split("-")[0]?.toLowerCase() ?? "", weight: Number(weight ?? 1) };
  });
  const known = wanted.filter(({ language, weight }) => Object.hasOwn(SERVER_WORDS, language) && weight > 0);
  return known.toSorted((a, b) => b.weight - a.weight)[0]?.language ?? "en";
}

/** The attributes of what is said in a language. */
export function languageAttributes(language: string): string {
  return `lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}"`;
}
