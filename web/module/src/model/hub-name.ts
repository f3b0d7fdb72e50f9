// How a model of the Hugging Face hub is named.

/** A model of the hub, as it can be sent to a Worker. */
export interface HubModel {
  /** With a slash at its end. */
  endpoint: string
  name: string
  revision: string
  token?: string | undefined
}

export const hubEndpoint = 'https://huggingface.co/'

/** Two names with a slash between them and nothing else. */
export function isHubName(source: string): boolean {
  return /^\w[\w.-]*\/\w[\w.-]*$/.test(source)
}
