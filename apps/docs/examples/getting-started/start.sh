npm start
