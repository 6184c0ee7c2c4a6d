/** The special variant of family C, by the end of each id. */
export const special = {
  'service.namespace': 'c-tasks > have separate tasks: special answers 404',
  'delete.finished': 'c-tasks > removes the record of a %s task; charges and media stay',
  'delete.running': 'c-tasks > answers 501 for running',
  'create.model': [
    'c-create > accepts the model %s and echoes the name as it was sent',
    'c-create > refuses the model "%s" with 400, or 404',
  ],
  'create.resolution': ['c-create > accepts the resolution %s', 'c-create > refuses the resolution %j'],
  'create.duration': 'c-create > to 15 whole seconds',
  'create.ratio': 'c-create > is required with %s, and is the ratio of the video',
  'create.reply': 'c-create > answers 200 with only the task_id',
  'create.refusals': [
    'c-create > answers 429 with Retry-After above the longest wait for a slot',
    'line-by-line > answers the statuses that its specification declares',
  ],
  'get.namespace': 'c-tasks > have separate tasks: special answers 404',
  'get.account': 'c-tasks > for a task of another account',
  'get.reply': 'c-tasks > is queued, then running, then succeeded with a url',
  'get.before': 'c-tasks > shows only queued or running before completion, for every outcome',
  'list.parameters': [
    'c-tasks > pages by page_num from 1 and page_size',
    'c-tasks > filters by each of the five statuses',
  ],
  'list.own': 'line-by-line > the special list has only special tasks of its account',
  'enhance.duration': 'c-enhance > accepts 4 to 15 whole seconds',
  'enhance.no-tokens': 'c-enhance > has no token usage in the special variant',
  'enhance.reply': 'line-by-line > %s of %s answers 200 with only the task_id',
  'regenerate.resolution': 'c-regeneration > refuses the resolution %s: output is always 2K',
  'regenerate.source': [
    'c-regeneration > accepts a source only if the query finds it: own, of this variant, of the last 7 days',
    'c-regeneration > refuses a source that is not a succeeded generation',
  ],
  'regenerate.content': 'c-regeneration > refuses %s and charges nothing (C-regeneration)',
  'regenerate.exclusive': 'c-regeneration > refuses both sources together and no source',
  'regenerate.no-mix': 'line-by-line > a special regeneration refuses frames beside references',
  'regenerate.base-video': [
    'c-regeneration > refuses a base video %s',
    'c-regeneration > accepts a base video of %d frames',
  ],
  'regenerate.not-assumed':
    'c-regeneration > accepts a base video that is not fetched in the standard variant only',
  'regenerate.reply': 'line-by-line > %s of %s answers 200 with only the task_id',
  'delete.reply': 'c-tasks > removes the record of a %s task; charges and media stay',
  'delete.statuses': [
    'c-tasks > answers 501, which the specification declares, for a cancelled task and changes nothing',
    'c-tasks > are 401 on %s %s without a key, with a wrong one, and with extra whitespace',
    'line-by-line > DELETE of a special task that does not exist is a 404',
  ],
  'errors.statuses': [
    'c-tasks > have the scripted fault %s as %d %s',
    'line-by-line > answers the statuses that its specification declares',
  ],
  'limits.duration': ['c-create > to 15 whole seconds', 'c-enhance > accepts 4 to 15 whole seconds'],
  'versioning.path': 'line-by-line > answers below its version prefix',
}
