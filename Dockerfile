# Three stages: one builds what runs and its pages, one installs the libraries, the last has nothing but both.
# A tag can be moved, a digest cannot; this one is of all platforms together.
FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

FROM base AS build
# Without the workspaces, one of which is the Node for old machines.
RUN npm ci --ignore-scripts --workspaces=false
COPY . .
RUN npm run packages

FROM base AS libraries
RUN npm ci --ignore-scripts --omit=dev --workspaces=false

FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20
WORKDIR /app
COPY --from=libraries /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
COPY bin/hushkit.mjs bin/start.mjs bin/
# The one place that is written to: with PostgreSQL only the key of the instance, which is looked for in ./data then.
RUN install -d -o nobody -g nogroup -m 0700 /data && ln -s /data data
VOLUME /data
USER nobody
# Key derivations and image work hold threads of Node's pool for seconds; digests and files need some too.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=/data/service.db UV_THREADPOOL_SIZE=8
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=6s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Straight, not by npm: the server itself must hear SIGTERM.
CMD ["node", "dist/main.js"]
