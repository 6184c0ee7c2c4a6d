export function controlSchemas(): string
