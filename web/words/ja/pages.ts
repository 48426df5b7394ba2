import type { PageWords } from "../en/pages.ts";
import type { Translation } from "../translation.ts";
import { plural } from "../plural.ts";

/** What the menu and the heads of the pages say in Japanese. */
export const pages: Translation<PageWords> = {
  pages: {
    share: {
      label: "秘密を共有",
      title: "秘密を共有",
      summary: "一度だけ開けるリンク。ブラウザーを離れる前に暗号化されます。",
    },
    open: { label: "リンクを開く", title: "リンクを開く", summary: "受け取ったリンクを貼り付けます。" },
    "pdf-merge": { label: "結合", title: "PDF を結合", summary: "好きな順番で、選んだページを結合します。" },
    "pdf-split": {
      label: "分割",
      title: "PDF を分割",
      summary: "1 ページずつのファイルに分けるか、一部のページを残したり取り除いたりします。",
    },
    "pdf-rotate": {
      label: "回転",
      title: "PDF を回転",
      summary: "すべてのページ、または一部だけを回転します。",
    },
    "pdf-clean": {
      label: "クリーンアップ",
      title: "PDF をクリーンアップ",
      summary: "見られたくないものを取り除きます。",
    },
    "pdf-compress": {
      label: "圧縮",
      title: "PDF を圧縮",
      summary: "メールで送れるように小さくします。",
    },
    "pdf-lock": {
      label: "ロック",
      title: "PDF をロック",
      summary: "選んだパスワードでしか開けなくなります。",
    },
    "pdf-unlock": {
      label: "ロック解除",
      title: "PDF のロックを解除",
      summary: "知っているパスワードと制限を取り除きます。",
    },
    "image-convert": {
      label: "画像を変換",
      title: "画像を変換",
      summary: "WebP、JPEG、PNG、AVIF へ。位置やカメラの情報は残しません。",
    },
    "file-encrypt": {
      label: "ファイルをロック",
      title: "ファイルをロック",
      summary: "パスワードでファイルを暗号化、またはロックされたファイルを開きます。",
    },
    "file-hash": {
      label: "チェックサム",
      title: "ファイルを確認",
      summary: "SHA-256、BLAKE3、MD5 などを、期待する値と比べます。",
    },
    "text-compare": {
      label: "比較",
      title: "2 つのテキストを比較",
      summary: "並べて、またはパッチとして。行・単語・文字ごとに。",
    },
    password: {
      label: "パスワード",
      title: "パスワードを生成",
      summary: "ランダムな文字や単語と、その強さ。",
    },
    account: { label: "アカウント", title: "アカウント", summary: "秘密、トークン、ログイン。" },
    "how-it-works": {
      label: "仕組み",
      title: "仕組み",
      summary: "鍵がどこにあり、サーバーに何が見え、何ができないか。",
    },
    verify: {
      label: "ページの検証",
      title: "このページを検証する",
      summary: "公開されたものと同じかどうかを確かめます。",
    },
    docs: {
      label: "API",
      title: "API",
      summary: "これらのページでできるすべてを、スクリプトやプログラムから。",
    },
    tools: { label: "すべてのツール", title: "すべてのツール", summary: "すべてのツールの一覧。" },
    members: {
      label: "メンバー",
      title: "このサーバーのメンバー",
      summary: "アカウントの確認、停止、削除。",
    },
    received: {
      label: "Hushkit に共有されたもの",
      title: "Hushkit に共有されたもの",
      summary: "ほかのプログラムがこれらのページに共有したもの。",
    },
    "not-found": { title: "ページが見つかりません" },
    ask: {
      label: "秘密を依頼",
      title: "秘密を依頼",
      summary: "一度だけ回答できるリンク。回答を読めるのはあなただけです。",
    },
    answer: { title: "秘密の提供を依頼されています" },
    collect: { title: "あなたの依頼" },
  },
  tools: { lead: "ツールはブラウザーの中で動きます。渡したものはこの端末に残ります。" },
  notFound: { lead: "お探しのものはこの中にあるかもしれません。" },
  find: {
    open: "ページやツールを探す",
    field: "ページまたはツール",
    list: "ページとツール",
    none: "見つかりません。別の言葉でお試しください。",
    count: plural({ other: "{count} 件見つかりました" }),
  },
};
