import path from 'node:path'

export default {
  mode: 'production',
  entry: './main.js',
  output: { path: path.resolve('public'), publicPath: 'auto' },
}
