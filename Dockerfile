# Two stages: the pages are built with the development packages, the server runs without them.
# Pin the image by digest where builds have to be repeatable.
FROM node:24-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

FROM base AS pages
RUN npm ci --workspaces=false
COPY . .
RUN npm run build

FROM base
# Without the workspaces, one of which is the Node for old machines.
RUN npm ci --omit=dev --workspaces=false && npm cache clean --force
COPY LICENSE main.ts admin.ts service.ts deno.json ./
COPY bin bin
COPY tools tools
COPY wire wire
COPY db db
COPY router router
COPY adapters adapters
COPY client client
COPY cli cli
COPY web web
COPY --from=pages /app/web/dist web/dist
# The one place that is written to, and with PostgreSQL not even that.
RUN install -d -o node -g node -m 0700 /data
VOLUME /data
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=/data/service.db
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=6s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Straight, not by npm: the server itself must hear SIGTERM.
CMD ["node", "main.ts"]
