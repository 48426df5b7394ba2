/** What people call the pages in Spanish, besides the words of the pages themselves. */
export const terms = {
  share: "enviar mensaje nota enlace único efímero entregar",
  ask: "solicitar recibir petición buzón",
  open: "leer ver mostrar recibir enlace",
  "pdf-merge": "juntar combinar unir añadir imágenes a pdf foto escaneo",
  "pdf-split": "separar cortar extraer eliminar quitar páginas ordenar",
  "pdf-rotate": "girar rotar orientación horizontal vertical boca abajo",
  "pdf-clean": "limpiar metadatos eliminar scripts adjuntos comentarios reparar",
  "pdf-compress": "reducir tamaño más pequeño correo optimizar achicar",
  "pdf-lock": "cifrar proteger contraseña permisos bloquear",
  "pdf-unlock": "descifrar contraseña quitar restricciones abrir",
  "image-convert":
    "foto convertir redimensionar reducir comprimir recortar girar ubicación metadatos exif jpg heic",
  "file-encrypt": "cifrar descifrar abrir contraseña clave age",
  "file-hash": "suma de comprobación hash verificar descarga integridad sha256 md5",
  "text-compare": "diferencias cambios diff",
  password: "frase de contraseña clave generador aleatorio pin fortaleza",
  account: "iniciar sesión entrar registro ajustes tokens perfil",
  docs: "documentación desarrolladores interfaz curl rest",
  "how-it-works": "seguridad cifrado confianza privacidad explicación extremo a extremo servidor",
  verify: "confianza comparar comprobar versión huella alterado",
  tools: "herramientas resumen lista todo",
};
