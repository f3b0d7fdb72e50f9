// Short messages after an action: seen for some seconds, and read out by screen readers.

let current = $state('')
let timer: ReturnType<typeof setTimeout> | undefined

export const announced = {
  get message(): string {
    return current
  },
}

export function say(message: string): void {
  clearTimeout(timer)
  current = message
  timer = setTimeout(() => {
    current = ''
  }, 3500)
}
