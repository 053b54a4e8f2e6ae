import{s as a,t as b}from"./chunk-K5TB4EJ2.js";import"./chunk-65WYVM2F.js";import"./chunk-NITFEET4.js";export{a as learn,b as words};
