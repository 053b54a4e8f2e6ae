import{t as a,u as b}from"./chunk-JA75CWVG.js";import"./chunk-65WYVM2F.js";import"./chunk-NITFEET4.js";export{a as learn,b as words};
