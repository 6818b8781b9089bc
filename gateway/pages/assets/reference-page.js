/** Swagger UI on this server's contract documents; what is tried is sent as whoever is signed in. */
import { token } from './sign-in.js'

const { SwaggerUIBundle, SwaggerUIStandalonePreset } = globalThis

const withToken = async request => {
  const isOwn = new URL(request.url, location.href).origin === location.origin
  const own = isOwn && !request.headers?.Authorization ? await token() : undefined
  if (own) request.headers = { ...request.headers, Authorization: `Bearer ${own}` }
  return request
}

SwaggerUIBundle({
  dom_id: '#reference',
  urls: JSON.parse(document.getElementById('documents').textContent),
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  deepLinking: true,
  tryItOutEnabled: true,
  // It would be asked over the network.
  validatorUrl: null,
  requestInterceptor: withToken,
})
