import type { DocsWords } from "../en/docs.ts";
import type { Translation } from "../translation.ts";

/** What the reference of the API says in Japanese. */
export const docs: Translation<DocsWords> = {
  docs: {
    lead: "これらのページでできるすべてを、スクリプトやプログラムから。アカウントは不要で、トークンがあれば上限が上がります。説明は英語です。",
    loading: "リファレンスを読み込んでいます…",
    openapi: "OpenAPI 3.1 ドキュメント",
    catalogue: "あなたの上限を含むカタログ",
    rpc: "同じ手続きは {path} で型付き RPC としても使えます。",
    limits: "現在の上限",
    asMember: "メンバーとして。",
    asGuest: "アカウントなし。",
    units: "すべてのページで、1 KB は 1,024 バイト、1 MB は 1,024 KB です。",
    limitNames: {
      calls: "ツールの呼び出し",
      concurrentCalls: "同時の呼び出し",
      fileSize: "ファイルの大きさ",
      totalSize: "1 回の呼び出しのファイルの合計",
      pixels: "画像の画素数（全フレーム）",
      secretLength: "秘密の文字数",
      secretExpires: "秘密の有効期間",
      secretCreates: "新しい秘密",
      secretReads: "秘密の開封と確認",
    },
    upTo: "最大 {value}",
    inWindow: "{window}に {value}",
    left: "{value}、現在の残り {remaining}",
    body: "本文：",
    parameters: "パラメーター",
    bodyFields: "本文のフィールド",
    answer: "応答 {status}：",
    answerKeys: "JSON 応答のキー",
    failures: "エラー",
    required: "必須",
    default: "既定値：{value}。",
  },
};
