/** Drawn for this project, like those of icon.tsx. The page behind a link uses none of them, and does not load them. */
export const MORE_ICONS = {
  open: "M4 7h16v11H4zM4 7l8 6 8-6",
  dice: "M5 5h14v14H5zM9 9h.01M15 15h.01M12 12h.01M15 9h.01M9 15h.01",
  code: "M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14",
  share: "M4 12v7h16v-7M12 15V4M8 8l4-4 4 4",
  merge: "M6 4v4c0 3 6 3 6 7v5M18 4v4c0 3-6 3-6 7M9 17l3 3 3-3",
  split: "M12 4v5c0 4-6 4-6 8v3M12 9c0 4 6 4 6 8v3M3 17l3 3 3-3M15 17l3 3 3-3",
  rotate: "M19 12a7 7 0 1 1-2.5-5.4M19 3v5h-5",
  unlock: "M6 11h12v9H6zM9 11V7.5a3.5 3.5 0 0 1 6.6-1.6M12 15v2",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 2.5-2.5L20 17M15 9h.01",
  hash: "M9 4 7 20M17 4l-2 16M4.5 9h16M3.5 15h16",
  compare: "M4 5h6v14H4zM14 5h6v14h-6M6.5 9h1M6.5 12h1M16.5 12h1M16.5 15h1",
  key: "M14.5 9.5a4 4 0 1 1-1-2.6 4 4 0 0 1 1 2.6ZM13.5 12l6.5 6.5M17 15.5l-2 2M20 18.5l-1.5 1.5",
  person: "M12 12a4 4 0 1 0-4-4 4 4 0 0 0 4 4ZM5 20c0-4 3-6 7-6s7 2 7 6",
  search: "M10.5 4a6.5 6.5 0 1 0 6.5 6.5A6.5 6.5 0 0 0 10.5 4ZM15.5 15.5 20 20",
  up: "M6 14l6-6 6 6",
  down: "M6 10l6 6 6-6",
  menu: "M4 7h16M4 12h16M4 17h16",
  clean: "M4 20h16M7 20l-2-7 9-9 6 6-8 10M9 9l6 6",
  compress: "M12 3v6M9 6.5l3 3 3-3M12 21v-6M9 17.5l3-3 3 3M5 12h14",
  clip: "M20 11.5l-8 8a5 5 0 0 1-7-7l8.5-8.5a3.3 3.3 0 0 1 4.7 4.7L9.8 17a1.7 1.7 0 0 1-2.4-2.4l7.6-7.6",
  arrow: "M5 12h14M13 6l6 6-6 6",
} as const;

export type MoreIcons = typeof MORE_ICONS;
