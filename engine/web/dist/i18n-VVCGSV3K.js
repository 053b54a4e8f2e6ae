import{t as a,u as b}from"./chunk-NILCV7RN.js";import"./chunk-HVS56GJH.js";import"./chunk-NITFEET4.js";export{a as learn,b as words};
