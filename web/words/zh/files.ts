import type { FileWords } from "../en/files.ts";
import type { Translation } from "../translation.ts";

/** What is said of files on all pages, in Chinese. */
export const files: Translation<FileWords> = {
  files: {
    pdf: " PDF ",
    pdfs: " PDF ",
    pages: " PDF 或图片",
    morePages: "更多 PDF 或图片",
    images: "图片",
    any: "文件",
    anyMore: "另一个文件",
    several: "文件",
    drop: "将{what}拖放或粘贴到这里，或",
    choose: "选择{what}",
    add: "添加{what}",
    dropHint: "除非您选择“在服务器上”，否则不会上传任何内容。",
    refused: {
      pdf: "不是 PDF，未添加：{names}",
      image: "不是可读取的图片，未添加：{names}",
      page: "不是 PDF，也不是可读取的图片，未添加：{names}",
      text: "不是文本，已略过：{names}",
    },
    chooseOther: "选择其他文件",
    onlyOne: "此页面一次只处理一个文件，已略过：{names}",
    folders: "不能直接使用文件夹，请选择其中的文件：{names}",
    unreadable: "文件已不存在或无法读取：{names}",
    where: "处理位置",
    places: { here: "在此浏览器中", server: "在服务器上" },
    placeHints: {
      here: "没有任何内容离开您的设备。",
      server: "发送到服务器。服务器只在处理时将其保留在内存中，不会存储。",
    },
    old: "此后您做了更改。请重新运行以获得新的结果。",
    next: "继续处理：",
    suggest: "建议一个密码",
    openLocked: "打开已锁定的文件",
    saveOne: "保存 {name}",
    saveAll: "全部保存",
    undo: "返回文件",
    chosen: "已选文件",
    sendOnce: "一次性发送",
  },
  received: {
    lead: "您想用它做什么？尚未发送任何内容。",
    nothingTitle: "没有收到任何内容",
    nothing: "浏览器没有交来任何内容。请再分享一次，或选择一个页面并在那里提供文件。",
  },
  order: {
    moved: "{name} 现在是第 {number} 个，共 {count} 个",
    up: "上移 {name}",
    down: "下移 {name}",
    remove: "移除 {name}",
  },
};
