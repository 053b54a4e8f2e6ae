// What a backend calls its levels, in every language of the page; the English catalogue says the same.

export const LEVELS = ["beginner", "novice", "learner", "casual", "regular", "skilled", "strong", "expert", "master", "champion"];
