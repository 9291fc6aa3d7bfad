needs tsc node
version "tsc $(tsc --version | sed 's/Version //')"
fixed "$(dirname "$(dirname "$(readlink -f "$(command -v tsc)")")")" /opt/typescript

printf 'export const x: number = 1;\n' >good.ts
printf 'export const x: number = "a";\n' >bad.ts
printf 'const = ;\n' >syntax.ts
printf 'import x from "nosuch-package";\nexport default x;\n' >imports.ts
printf 'const f: number = "permission denied: not found";\nexport { f };\n' >words.ts
record tsc --noEmit good.ts
record tsc --noEmit bad.ts
record tsc bad.ts
record tsc --noEmitOnError bad.ts
record tsc --noEmit words.ts
record tsc --noEmit syntax.ts
record tsc --noEmit imports.ts
record tsc nosuch.ts
record tsc
record tsc --nosuchflag good.ts
record tsc --noEmitt good.ts
record tsc --target nosuch good.ts
record tsc --target
record tsc -p nosuchdir
record tsc --project nosuch.json
record tsc --version
record tsc --pretty --noEmit bad.ts
mkdir proj && cd proj
printf '{"compilerOptions": {"strict": tru}}' >tsconfig.json && cp ../good.ts .
record tsc --noEmit
printf '{"compilerOptions": {"nosuchOption": true}}' >tsconfig.json
record tsc -p .
printf '{"include": ["nothere/**/*"]}' >tsconfig.json
record tsc -p tsconfig.json
printf '{"extends": "@tsconfig/nosuch/tsconfig.json"}' >tsconfig.json
record tsc -p ./
printf '{"compilerOptions": {"types": ["nosuch"], "noEmit": true}}' >tsconfig.json
record tsc --project .
printf '{"references": [{"path": "../nothere"}], "files": []}' >tsconfig.json
record tsc -b
rm tsconfig.json; record tsc --init
record tsc --init --strict
record tsc --build nosuchproj
echo "export const a = 1;" >in.js; record tsc --allowJs --ignoreConfig in.js
printf '{"compilerOptions": {"noEmit": true}}' >tsconfig.json
record tsc --listFilesOnly --noLib
record tsc --showConfig
cd ..
cp good.ts same.ts
as_nobody tsc --outDir out good.ts
